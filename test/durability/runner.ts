// The runner that is interrupted: a process of its own, on an assembly made once, so that a start takes a second.
import { startSystem } from '../../local/system.ts';

const [projectDirectory = '', stateDirectory = '', assemblyDirectory = '', port = '0'] =
  process.argv.slice(2);
await startSystem({
  projectDirectory,
  stateDirectory,
  assemblyDirectory,
  port: Number(port),
  log: (line) => console.error(line),
  requestLog: () => {},
});
console.log('ready');
