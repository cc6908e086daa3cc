import type { Readable, Writable } from 'node:stream';

const NEW_LINE = 0x0a;

/** Forwards the output of a process, in whole lines so that lines of several processes never mix, once `mayStart` has resolved. */
export function forwardLines(from: Readable, to: Writable, mayStart: Promise<void>): void {
  let rest: Buffer = Buffer.alloc(0);
  const write = (bytes: Buffer) => {
    // Once nobody reads the output, drop it: the process must not wait for a reader.
    if (to.errored || bytes.length === 0 || to.write(bytes)) return;
    from.pause();
    to.once('drain', () => from.resume());
  };
  void mayStart.then(() => {
    from.on('data', (chunk: Buffer) => {
      const end = chunk.lastIndexOf(NEW_LINE) + 1;
      if (end === 0) {
        rest = Buffer.concat([rest, chunk]);
        return;
      }
      write(Buffer.concat([rest, chunk.subarray(0, end)]));
      rest = chunk.subarray(end);
    });
    from.on('end', () => write(rest));
  });
}
