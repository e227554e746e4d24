// The runner that is killed: a process of its own over an existing assembly, so that it starts in a second.
import { startSystem } from '../../local/system.ts';

/**
 * Calls of the watched functions that are left until this process kills itself. The parent sets the number and is sent a message for each
 * call.
 */
let callsLeft = Number.POSITIVE_INFINITY;
process.on('message', ({ killAfterCalls }: { readonly killAfterCalls: number }) => {
  callsLeft = killAfterCalls;
});

const [projectDirectory = '', stateDirectory = '', assemblyDirectory = '', port = '0', functions] =
  process.argv.slice(2);
const watched = functions === undefined ? undefined : new RegExp(`by \\S*${functions}`);
await startSystem({
  projectDirectory,
  stateDirectory,
  assemblyDirectory,
  port: Number(port),
  log: (line) => console.error(line),
  requestLog: () => {},
  callLog(line) {
    if (watched?.test(line) !== true) return;
    callsLeft -= 1;
    if (callsLeft < 0) process.kill(process.pid, 'SIGKILL');
    process.send?.('call');
  },
});
console.log('ready');
