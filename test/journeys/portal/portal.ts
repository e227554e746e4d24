import { runOps } from '../../../ops/program.ts';
import { http, runningSystem } from '../journey.ts';
import { systemFile } from '../system-file.ts';

/** The portal of the running system, its inbox and the operators' command line, for journeys. */

export function portalOrigin(): string {
  return `http://portal.localhost:${runningSystem().port}`;
}

interface Message {
  readonly id: number;
  readonly subject?: string;
  readonly text?: string;
}

const patienceMs = 30_000;

/** Messages to an address or number, newest first. */
export async function messagesTo(to: string): Promise<readonly Message[]> {
  const url = `http://inbox.localhost:${runningSystem().port}/messages?${new URLSearchParams({ to })}`;
  const { body } = await http({ method: 'GET', url });
  return (JSON.parse(body) as { messages: readonly Message[] }).messages;
}

/**
 * Waits for a message to this address that matches the pattern, newest first, and returns the match.
 *
 * @throws Error if none comes.
 */
export async function mailed(to: string, pattern: RegExp): Promise<string> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; ) {
    for (const { text = '' } of await messagesTo(to)) {
      const found = pattern.exec(text)?.[1];
      if (found !== undefined) return found;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no message to ${to} has ${pattern}`);
}

/**
 * Waits for a message and returns its code.
 *
 * @param after number of messages that came before
 */
export async function codeTo(to: string, after = 0): Promise<string> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; ) {
    const messages = await messagesTo(to);
    const code = /\b(\d{6})\b/.exec(messages[0]?.text ?? '')?.[1];
    if (messages.length > after && code !== undefined) return code;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no code came to ${to}`);
}

export interface Ended {
  readonly code: number;
  readonly printed: string;
}

/** Runs `npm run ops -- …` against the running system. */
export async function opsEnds(...args: string[]): Promise<Ended> {
  const lines: string[] = [];
  const print = (text: string) => lines.push(text);
  const terminal = { out: print, err: print };
  const code = await runOps([...args, '--system', systemFile()], { USER: 'journeys' }, terminal);
  return { code, printed: lines.join('\n') };
}

/**
 * Does the same.
 *
 * @returns what the command printed.
 * @throws Error unless it succeeds
 */
export async function ops(...args: string[]): Promise<string> {
  const { code, printed } = await opsEnds(...args);
  if (code !== 0) throw new Error(`ops ${args.join(' ')} ended with ${code}: ${printed}`);
  return printed;
}
