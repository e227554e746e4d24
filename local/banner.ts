/** Text that `npm start` prints when the system is ready. */

import type { System } from './system.ts';

/** The reason why test members are missing. */
export interface MissingMembers {
  readonly missing: string;
  /** Whether the state has test members of an earlier version of the project. */
  readonly isOlderState: boolean;
}

/**
 * The text that is printed when the system is ready. Every line below "What to try next" works as it is. A system without its test members
 * is not called ready.
 *
 * @param members the table of test members; undefined if the project has none
 * @param elsewhere whether the state is outside of the default folder, so that commands need an option to find it.
 */
export function banner(
  system: System,
  members: string | MissingMembers | undefined,
  secondsToStart: number,
  elsewhere: boolean,
): string {
  const { port } = system;
  const seeded = typeof members !== 'object';
  const addresses = system.hosts.map(({ name }) => `http://${name}:${port}`);
  const hosts = columns(addresses.map((address, index) => [address, system.hosts[index]?.what ?? '']));
  return [
    '',
    `${seeded ? 'Ready in' : 'Running without the test members after'} ${secondsToStart.toFixed(1)} s. Hosts:`,
    '',
    ...hosts,
    '',
    ...(typeof members !== 'string' ? [] : ['Test members:', '', members.trimEnd(), '']),
    'What to try next, in another terminal:',
    '',
    ...columns([
      ...commands(seeded, systemOption(system, elsewhere)),
      ...portalPage(system),
      ...exampleCall(system),
    ]),
    '',
    'Each call prints one line below. Ctrl-C stops the system and keeps its state (npm start -- --fresh deletes it first).',
    '',
  ].join('\n');
}

/** The last lines for a system without its test members: which are missing, and how to load them. */
export function missingMembersText(
  system: System,
  { missing, isOlderState }: MissingMembers,
  elsewhere: boolean,
): string {
  const again = [
    'The hosts above are available. To load the test members again, run this in another terminal (safe to repeat; npm start runs it too):',
    '',
    `  npm run ops -- seed${systemOption(system, elsewhere)}`,
  ];
  const anew = [
    'This state was made by an earlier version of the project, whose test members had another history. Stop the system (Ctrl-C) and start again:',
    '',
    '  npm start -- --fresh',
    '',
    'That deletes the accounts and applications of this state, too.',
  ];
  return [
    'Some or all test members could not be loaded, so you can’t sign in as one of them:',
    '',
    ...missing.split('\n').map((line) => `  ${line}`),
    '',
    ...(isOlderState ? anew : again),
    '',
  ].join('\n');
}

/** The option with the path of the system's file, for a state outside of the default folder. */
function systemOption({ systemFile }: System, elsewhere: boolean): string {
  return elsewhere ? ` --system ${systemFile}` : '';
}

type Line = readonly [text: string, what: string];

function columns(lines: readonly Line[]): string[] {
  const width = Math.max(...lines.map(([text]) => text.length));
  return lines.map(([text, what]) => (what === '' ? `  ${text}` : `  ${text.padEnd(width)}  ${what}`));
}

function commands(seeded: boolean, where: string): Line[] {
  const demo: Line = [
    `npm run demo${where === '' ? '' : ` --${where}`}`,
    'show how an app reads a member’s data',
  ];
  return [
    ...(seeded ? [demo] : []),
    ['npm run ops -- clients register --help', 'act as the app yourself'],
    ['npm run ops -- operators create --help', 'create an operator for the portal’s console'],
    [`npm run ops -- apps queue${where}`, 'list applications that wait for a decision'],
  ];
}

/** Developers begin on the portal's host. */
function portalPage({ hosts, port }: System): Line[] {
  const host = hosts.find(({ name }) => name.startsWith('portal.'));
  if (host === undefined) return [];
  return [[`http://${host.name}:${port}/sign-up`, 'sign up as a developer; codes arrive in the inbox']];
}

/** An example call that needs no key or token. */
function exampleCall({ hosts, port }: System): Line[] {
  const host = hosts.find(({ name }) => name.startsWith('dsnp.'));
  if (host === undefined) return [];
  return [[`curl http://${host.name}:${port}/extfhirpatientaccess/v1/metadata`, '']];
}
