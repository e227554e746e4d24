/** Output and exit codes of the CLI. */

import { createInterface } from 'node:readline/promises';
import { withoutControls } from '../../lambdas/platform/kernel/without-controls.ts';
import { UsageError } from './command-line.ts';
import { InvocationFailed } from './invoke.ts';
import { SystemFileBroken } from './system.ts';

/** The output of a program, and the person at the terminal. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Standard error, if it is a terminal whose last line can be overwritten. */
  readonly live?: { readonly columns: number; readonly write: (text: string) => void } | undefined;
  /** Asks a question and returns the answer; absent without a terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

/**
 * The process's own terminal. Control characters are removed, because text comes from members and developers and must not reach the
 * terminal as a command. A carriage return before a line feed stays: it is the end of a row of CSV.
 */
export const processTerminal: Terminal = {
  out: (text) =>
    console.log(
      text
        .split(/\r(?=\n|$)/)
        .map(withoutControls)
        .join('\r'),
    ),
  err: (text) => console.error(withoutControls(text)),
  ...(process.stderr.isTTY && {
    live: { columns: process.stderr.columns, write: (text) => void process.stderr.write(text) },
    ...(process.stdin.isTTY && { ask }),
  }),
};

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(withoutControls(question));
  } finally {
    lines.close();
  }
}

/** Exit codes, as help shows them. */
export const exitCodes = {
  0: 'done',
  1: 'refused',
  2: 'invalid command line',
  3: 'outcome unknown',
} as const;
export type ExitCode = keyof typeof exitCodes;

/**
 * Runs a program, and prints what its user can do about an error; a defect is rethrown.
 *
 * @param asJson whether to print errors as `{"error": …, "message": …}`, on standard error too.
 */
export async function exitCodeOf(
  program: () => Promise<ExitCode>,
  help: string,
  terminal: Terminal,
  asJson = false,
): Promise<ExitCode> {
  const say = (error: string, message: string, more = '') =>
    terminal.err(asJson ? JSON.stringify({ error, message }) : `${message}${more}`);
  try {
    return await program();
  } catch (error) {
    if (error instanceof UsageError || error instanceof SystemFileBroken) {
      say('invalid_command_line', error.message, `\n(${help})`);
      return 2;
    }
    if (error instanceof InvocationFailed) {
      say('outcome_unknown', error.message);
      return 3;
    }
    throw error;
  }
}
