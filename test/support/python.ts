/** The Python that packs and runs the Python client. */
import { spawnSync } from 'node:child_process';

/** Debian's own comes first: another one in front of it does not see the modules that `apt-get` installs. */
const PLACES = ['/usr/bin/python3', 'python3'];
const MODULES = ['build', 'ensurepip', 'setuptools', 'wheel'];

/** Returns the command of one that can pack and install packages; `null` when there is none. */
export const findPython = (): string | null =>
  PLACES.find((python) => spawnSync(python, ['-c', `import ${MODULES.join(', ')}`]).status === 0) ?? null;
