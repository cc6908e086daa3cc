/** What a process that was started with this module and `--expose-gc` says when it is sent `heap`. */
export interface HeapAnswer {
  heapBytes: number;
}

process.on('message', (message) => {
  if (message !== 'heap') return;
  // What the first collection sets free may hold on to more.
  globalThis.gc?.();
  globalThis.gc?.();
  process.send?.({
    heapBytes: process.memoryUsage().heapUsed,
  } satisfies HeapAnswer);
});
