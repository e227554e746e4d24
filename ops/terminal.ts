/** Output and exit codes of the CLI. */

import { UsageError } from './command-line.ts';
import { InvocationFailed } from './invoke.ts';
import { SystemFileBroken } from './system.ts';

/** The output of a program. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

export const processTerminal: Terminal = {
  out: (text) => console.log(text),
  err: (text) => console.error(text),
};

/** 0: done. 1: refused, or not as promised. 2: the command line is wrong. 3: the outcome is unknown. */
export type ExitCode = 0 | 1 | 2 | 3;

/** Runs a program and says in one place what its user can do about what went wrong; a defect is thrown on. */
export async function exitCodeOf(
  program: () => Promise<ExitCode>,
  help: string,
  terminal: Terminal,
): Promise<ExitCode> {
  try {
    return await program();
  } catch (error) {
    if (error instanceof UsageError || error instanceof SystemFileBroken) {
      terminal.err(`${error.message}\n(${help})`);
      return 2;
    }
    if (error instanceof InvocationFailed) {
      terminal.err(error.message);
      return 3;
    }
    throw error;
  }
}
