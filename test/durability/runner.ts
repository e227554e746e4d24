// The runner that is interrupted: a process of its own, on an assembly made once, so that a start takes a second.
import { startSystem } from '../../local/system.ts';

/** Calls of the watched functions until this process kills itself; told by the parent, which is told of each call in turn. */
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
