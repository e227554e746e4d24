// Plain JavaScript that old versions of Node can run, so that they can report that they are too old.
import process from 'node:process';

/** The first version of Node that runs TypeScript files directly. */
const needed = [22, 18];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  console.error(
    `Node 24 is required. On Linux and Windows npm ci installs it in this project, and npm start uses it. This is ${process.version}`,
  );
  process.exit(1);
}

// Versions before 24 warn that running TypeScript is experimental, which the user can't change.
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') console.error(`${warning.name}: ${warning.message}`);
});

await import('./main.ts');
