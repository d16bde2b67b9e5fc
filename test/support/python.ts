/** The Python that packs and runs the Python client. */
import { spawnSync } from 'node:child_process';

/** Debian's Python comes first, because others on the PATH cannot import modules that `apt-get` installs. */
const PLACES = ['/usr/bin/python3', 'python3'];
const MODULES = ['build', 'ensurepip', 'setuptools', 'wheel'];

/** Returns the command of a Python that can build and install packages, or `null` when there is none. */
export const findPython = (): string | null =>
  PLACES.find((python) => spawnSync(python, ['-c', `import ${MODULES.join(', ')}`]).status === 0) ?? null;
