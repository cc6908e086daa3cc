// Loaded before a process's main file (NODE_OPTIONS): on SIGUSR2 its event loop stands still for BLOCK_MS.
process.on('SIGUSR2', () => {
  const until = performance.now() + Number(process.env.BLOCK_MS);
  while (performance.now() < until);
});
