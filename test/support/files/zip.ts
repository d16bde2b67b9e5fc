import { buffer } from 'node:stream/consumers';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

/** A file in a ZIP. */
export interface ZipEntry {
  readonly name: string;
  readonly bytes: Buffer;
  /** Whether it is not compressed. */
  readonly stored: boolean;
  /** Whether the sizes come after the data (data descriptor), which some programs do not accept for stored files. */
  readonly hasDescriptor: boolean;
  readonly modified: Date;
}

const openZip = (bytes: Buffer): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, strictFileNames: true }, (error, zip) =>
      error ? reject(error) : resolve(zip),
    );
  });

const readEntry = (zip: ZipFile, entry: Entry): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(buffer(stream))));
  });

/** Reads the files of a ZIP in its order. @throws When it is incomplete, a checksum is wrong or a name is unsafe. */
export const readZip = async (bytes: Buffer): Promise<readonly ZipEntry[]> => {
  const zip = await openZip(bytes);
  const files: ZipEntry[] = [];
  await new Promise<void>((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      readEntry(zip, entry).then((content) => {
        files.push({
          name: entry.fileName,
          bytes: content,
          stored: entry.compressionMethod === 0,
          hasDescriptor: (entry.generalPurposeBitFlag & 8) !== 0,
          modified: entry.getLastModDate({ timezone: 'UTC' }),
        });
        zip.readEntry();
      }, reject);
    });
    zip.on('end', resolve).on('error', reject);
    zip.readEntry();
  });
  return files;
};
