import type { System } from './system.ts';

/** What a newcomer sees when the system is ready. */
export function banner(system: System, members: string | undefined, secondsToStart: number): string {
  const { port } = system;
  const addresses = system.hosts.map(({ name }) => `http://${name}:${port}`);
  const width = Math.max(...addresses.map(({ length }) => length));
  const hosts = addresses.map((address, index) => `  ${address.padEnd(width)}  ${system.hosts[index]?.what}`);
  return [
    '',
    `Ready in ${secondsToStart.toFixed(1)} s. Hosts:`,
    '',
    ...hosts,
    '',
    ...(members === undefined ? [] : ['Test members:', '', members.trimEnd(), '']),
    'What to try next, in another terminal:',
    '',
    '  npm run demo                    an app reads a member’s data, step by step',
    '  npm run ops -- clients register --help',
    ...portalLines(system).map((line) => `  ${line}`),
    ...exampleCall(system).map((line) => `  ${line}`),
    '',
    'One line for each call follows. Ctrl-C ends everything; the state stays (npm start -- --fresh begins anew).',
    '',
  ].join('\n');
}

/** Developers begin on the portal's host; who decides there is made here. */
function portalLines({ hosts, port }: System): string[] {
  const host = hosts.find(({ name }) => name.startsWith('portal.'));
  if (host === undefined) return [];
  return [
    `http://${host.name}:${port}/sign-up     a developer’s account; codes come to the inbox`,
    'npm run ops -- operators create --help   who decides there; npm run ops -- apps queue shows what waits',
  ];
}

/** A call that needs neither key nor token. */
function exampleCall({ hosts, port }: System): string[] {
  const host = hosts.find(({ name }) => name.startsWith('dsnp.'));
  return host === undefined ? [] : [`curl http://${host.name}:${port}/extfhirpatientaccess/v1/metadata`];
}
