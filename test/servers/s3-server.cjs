/** Runs s3rver with the arguments of its command line. */
const { stat } = require('node:fs/promises');
const { setTimeout: sleep } = require('node:timers/promises');
const FilesystemStore = require('s3rver/lib/stores/filesystem');

const { putObject, deleteObject } = FilesystemStore.prototype;

// s3rver 3.7 answers before the file is written, so that a reader may find less than was stored. S3 never does that.
FilesystemStore.prototype.putObject = async function (object) {
  const stored = await putObject.call(this, object);
  const path = this.getResourcePath(object.bucket, object.key, 'object');
  while ((await stat(path)).size < stored.size) await sleep(1);
  return stored;
};

// s3rver fails when two objects and with them their folder are removed at the same time.
FilesystemStore.prototype.deleteObject = async function (bucket, key) {
  try {
    await deleteObject.call(this, bucket, key);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTEMPTY') throw error;
  }
};

require('s3rver/bin/s3rver');
