import type { System } from './system.ts';

/**
 * What a newcomer sees when the system is ready. Every line below "What to try next" works as it stands.
 *
 * @param elsewhere whether the state isn't where commands look for it: they are told.
 */
export function banner(
  system: System,
  members: string | undefined,
  secondsToStart: number,
  elsewhere: boolean,
): string {
  const { port } = system;
  const addresses = system.hosts.map(({ name }) => `http://${name}:${port}`);
  const hosts = columns(addresses.map((address, index) => [address, system.hosts[index]?.what ?? '']));
  return [
    '',
    `Ready in ${secondsToStart.toFixed(1)} s. Hosts:`,
    '',
    ...hosts,
    '',
    ...(members === undefined ? [] : ['Test members:', '', members.trimEnd(), '']),
    'What to try next, in another terminal:',
    '',
    ...columns([
      ...commands(elsewhere ? ` --system ${system.systemFile}` : ''),
      ...portalPage(system),
      ...exampleCall(system),
    ]),
    '',
    'One line for each call follows. Ctrl-C ends everything; the state stays (npm start -- --fresh begins anew).',
    '',
  ].join('\n');
}

type Line = readonly [text: string, what: string];

function columns(lines: readonly Line[]): string[] {
  const width = Math.max(...lines.map(([text]) => text.length));
  return lines.map(([text, what]) => (what === '' ? `  ${text}` : `  ${text.padEnd(width)}  ${what}`));
}

function commands(where: string): Line[] {
  return [
    [`npm run demo${where === '' ? '' : ` --${where}`}`, 'an app reads a member’s data, step by step'],
    ['npm run ops -- clients register --help', 'be the app yourself'],
    ['npm run ops -- operators create --help', 'who decides in the portal'],
    [`npm run ops -- apps queue${where}`, 'what waits for a decision there'],
  ];
}

/** Developers begin on the portal's host. */
function portalPage({ hosts, port }: System): Line[] {
  const host = hosts.find(({ name }) => name.startsWith('portal.'));
  if (host === undefined) return [];
  return [[`http://${host.name}:${port}/sign-up`, 'a developer’s account; codes come to the inbox']];
}

/** A call that needs neither key nor token. */
function exampleCall({ hosts, port }: System): Line[] {
  const host = hosts.find(({ name }) => name.startsWith('dsnp.'));
  if (host === undefined) return [];
  return [[`curl http://${host.name}:${port}/extfhirpatientaccess/v1/metadata`, '']];
}
