import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Loaded into a process before its own code: when it is asked, it collects its garbage and tells what is left.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

process.on('message', async (message) => {
  if (message !== 'memory?') return;
  for (let round = 0; round < 4; round++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, external } = process.memoryUsage();
  const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  process.send?.({ heapUsed, external, sockets });
});
