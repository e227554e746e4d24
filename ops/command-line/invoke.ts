/** Invokes Lambda functions for the CLI. */

import { setTimeout as pause } from 'node:timers/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { awsConfiguration, type LocalSystem } from './system.ts';

/** Invokes a function with a payload, and returns its response. */
export type Invoke = (functionName: string, payload: unknown) => Promise<unknown>;

/** A function could not be reached, or ended with an error: the outcome is unknown. */
export class InvocationFailed extends Error {
  override readonly name = 'InvocationFailed';
}

/**
 * Makes the function that invokes: through the local system's AWS endpoint if a system is given, else with the operator's own AWS
 * configuration.
 */
export function createInvoke(system: LocalSystem | undefined): Invoke {
  const client = new LambdaClient(awsConfiguration(system));
  return async (functionName, payload) => {
    const command = () =>
      new InvokeCommand({ FunctionName: functionName, Payload: Buffer.from(JSON.stringify(payload)) });
    const answer = await whenThereIsRoom(() => client.send(command())).catch((error: unknown) => {
      throw new InvocationFailed(reach(error, functionName, system));
    });
    const text = Buffer.from(answer.Payload ?? []).toString('utf8');
    if (answer.FunctionError !== undefined) {
      throw new InvocationFailed(`${plainName(functionName, system)} failed: ${errorMessage(text)}`);
    }
    return JSON.parse(text);
  };
}

/** Longest time in milliseconds for which a command repeats a throttled call. */
const throttledMs = 60_000;
const longestWaitMs = 5_000;

interface Waiting {
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

/**
 * Repeats a call while Lambda throttles it. A throttled invocation has not started, so repeating is safe. The SDK itself gives up after
 * less than a second.
 *
 * @throws the error of the call; if it is throttling, after a minute.
 */
export async function whenThereIsRoom<Answer>(
  call: () => Promise<Answer>,
  { now, random, sleep }: Waiting = { now: Date.now, random: Math.random, sleep: pause },
): Promise<Answer> {
  const until = now() + throttledMs;
  for (let tries = 0; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if ((error as Error).name !== 'TooManyRequestsException' || now() >= until) throw error;
      await sleep(((1 + random()) / 2) * Math.min(longestWaitMs, 500 * 2 ** tries));
    }
  }
}

function reach(error: unknown, functionName: string, system: LocalSystem | undefined): string {
  const { code, name, message } = error as { code?: string; name?: string; message?: string };
  if (system !== undefined && (code === 'ECONNREFUSED' || code === 'ECONNRESET')) {
    return `no response from ${system.awsEndpoint}; run \`npm start\` first`;
  }
  return `${plainName(functionName, system)} can't be invoked: ${name ?? 'Error'}: ${message ?? 'no message'}`;
}

/** Name of a function for messages: the local system's name for it (`load-operations of sandbox`), or the last part of an ARN. */
function plainName(functionName: string, system: LocalSystem | undefined): string {
  for (const [owner, functions] of Object.entries(system?.functions ?? {})) {
    const found = Object.entries(functions ?? {}).find(([, name]) => name === functionName)?.[0];
    if (found !== undefined) {
      return `${found.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} of ${owner}`;
    }
  }
  return /^arn:[^:]*:lambda:[^:]*:[^:]*:function:([^:]+)/.exec(functionName)?.[1] ?? functionName;
}

function errorMessage(text: string): string {
  try {
    return String((JSON.parse(text) as { errorMessage?: unknown }).errorMessage ?? 'no message');
  } catch {
    return 'no message';
  }
}
