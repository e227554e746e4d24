/** Runs the smoke test of a deployed environment (`npm run demo -- --target FILE`), and reports what each check saw. */

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { LineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { UsageError } from '../command-line/command-line.ts';
import { createInvoke, type Invoke } from '../command-line/invoke.ts';
import type { CommandContext } from '../command-line/operation.ts';
import type { ExitCode, Terminal } from '../command-line/terminal.ts';
import { createMask, type Mask } from '../demo/mask.ts';
import { createScene } from '../demo/scene.ts';
import { createTranscript } from '../demo/transcript.ts';
import { createHttp, type Http } from '../http/client.ts';
import { runOps } from '../program.ts';
import { NotApplicable, type Recipient, type RunCommand, type Smoke, type SmokeCheck } from './check.ts';
import { environmentCheck, smokeChecks } from './checks.ts';
import { readSmokeTarget, type SmokeTarget } from './target.ts';

/** The smoke test that a command line asks for. */
export interface SmokeRequest {
  readonly file: string;
  readonly environment: SmokeTarget['environment'];
  /**
   * Lines of business of the journeys.
   *
   * @default all that are deployed
   */
  readonly lobs: readonly LineOfBusiness[] | undefined;
  /** Whether synthetic members and applications may be written into a deployed production. */
  readonly allowsSyntheticData: boolean;
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** The outcome of a check, with what it saw or the reason why it did not pass or did not run. */
export interface CheckOutcome {
  readonly check: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly saw: string;
}

const readOnly =
  'Production gets no synthetic members, whose passwords are public. To run it all the same: --allow-synthetic-data.';

/**
 * Runs all checks in order. Nothing is written before the check of the environment has passed, and nothing into a deployed production without
 * permission.
 */
export async function runChecks(
  smoke: Smoke,
  mayWrite: boolean,
  mask: Mask,
  told: (outcome: CheckOutcome) => void,
): Promise<readonly CheckOutcome[]> {
  const outcomes: CheckOutcome[] = [];
  const add = (outcome: CheckOutcome) => {
    outcomes.push(outcome);
    told(outcome);
    return outcome;
  };
  const first = add(await outcomeOf(environmentCheck, smoke, mask));
  for (const check of smokeChecks) {
    if (first.state === 'failed') {
      add({
        check: check.id,
        state: 'skipped',
        saw: 'Not run, because the check of the environment did not pass.',
      });
    } else if (check.writes && !mayWrite) {
      add({ check: check.id, state: 'skipped', saw: readOnly });
    } else {
      add(await outcomeOf(check, smoke, mask));
    }
  }
  return outcomes;
}

async function outcomeOf({ id: check, run }: SmokeCheck, smoke: Smoke, mask: Mask): Promise<CheckOutcome> {
  try {
    return { check, state: 'passed', saw: mask.hide(await run(smoke)) };
  } catch (error) {
    const saw = mask.hide(error instanceof Error ? error.message : String(error));
    return { check, state: error instanceof NotApplicable ? 'skipped' : 'failed', saw };
  }
}

/** Runs `npm run demo -- --target FILE`. */
export async function runSmoke(
  request: SmokeRequest,
  variables: CommandContext['variables'],
  terminal: Terminal,
): Promise<ExitCode> {
  const { environment, json, quiet } = request;
  const target = readSmokeTarget(request.file, environment, variables);
  // The SDK's clients of the operator's commands take the Region from the process.
  if (target.local === undefined) process.env.AWS_REGION = target.region;
  const mask = createMask();
  const http = createHttp();
  const lines: string[] = [];
  const transcript = createTranscript(http, mask, (line) => {
    if (json || quiet) lines.push(line);
    else terminal.out(line);
  });
  const ofCommand = createInvoke(target.local?.system);
  const registered = new Set<string>();
  const invoke: Invoke = async (name, payload) => {
    const answer = await ofCommand(name, payload);
    const { kind, credentials } = answer as { kind?: string; credentials?: { clientId: string } };
    if (kind === 'credentials' && credentials !== undefined) registered.add(credentials.clientId);
    return answer;
  };
  const { origins, provisioningFunction } = target;
  const lobs = journeyLobs(request, target);
  const [lob = target.linesOfBusiness[0]] = lobs;
  const smoke: Smoke = {
    target,
    lob,
    lobs,
    scene: (of) =>
      createScene({
        environment,
        lob: of,
        origins,
        provisioningFunction,
        invoke,
        transcript,
        ...keyWait(target),
      }),
    ops: commandRunner(target),
    recipient: recipientOf(request, target, http, terminal),
    pause,
  };
  const mayWrite = environment !== 'production' || target.local !== undefined || request.allowsSyntheticData;
  try {
    const outcomes = await runChecks(smoke, mayWrite, mask, ({ check, state, saw }) => {
      if (state === 'failed') for (const line of lines.slice(-40)) terminal.err(line);
      if (!json) terminal.out(`${state.padEnd(7)}  ${check.padEnd(12)}  ${saw}`);
    });
    if (json) terminal.out(JSON.stringify({ environment, account: target.account, checks: outcomes }));
    return outcomes.some(({ state }) => state === 'failed') ? 1 : 0;
  } finally {
    await revoke(registered, invoke, provisioningFunction);
  }
}

function journeyLobs({ lobs }: SmokeRequest, { linesOfBusiness, environment }: SmokeTarget) {
  const absent = lobs?.find((lob) => !linesOfBusiness.includes(lob));
  if (absent === undefined) return lobs ?? linesOfBusiness;
  throw new UsageError(`--lob ${absent}: ${environment} has ${linesOfBusiness.join(', ')}`);
}

/** API Gateway takes minutes to make a new key known to its hosts; the local system knows it at once. */
function keyWait({ local }: SmokeTarget) {
  return local === undefined ? { keyKnownWithinMs: 10 * 60_000 } : {};
}

/** Ends the applications of this run, so that no keys of them remain. */
async function revoke(clients: ReadonlySet<string>, invoke: Invoke, provisioning: string): Promise<void> {
  for (const clientId of clients) {
    await invoke(provisioning, { action: 'revoke', requestId: randomUUID(), clientId });
  }
}

function commandRunner({ local, variables }: SmokeTarget): RunCommand {
  return async (...words) => {
    const out: string[] = [];
    const err: string[] = [];
    const terminal = {
      out: (line: string) => void out.push(line),
      err: (line: string) => void err.push(line),
    };
    const system = local === undefined ? [] : ['--system', local.file];
    const code = await runOps([...words, ...system], variables, terminal);
    return { code, out: out.join('\n'), err: err.join('\n') };
  };
}

/** The recipient of messages: the local system's inbox, or the person at the terminal. */
function recipientOf(
  { email, phone }: SmokeRequest,
  { local }: SmokeTarget,
  http: Http,
  { ask }: Terminal,
): Recipient {
  if (local === undefined) {
    const codeSentTo = async (to: string) => (await ask?.(`The code that arrived at ${to}: `))?.trim();
    return { email, phone, codeSentTo };
  }
  return {
    email: email ?? 'smoke.test@example.com',
    phone: phone ?? '+12025550197',
    async codeSentTo(to) {
      const url = new URL(`http://inbox.localhost:${local.system.port}/messages`);
      url.searchParams.set('to', to);
      const { body } = await http({ method: 'GET', url: url.href });
      const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly text: string }[] };
      return /\d{6}/.exec(messages[0]?.text ?? '')?.[0];
    },
  };
}
