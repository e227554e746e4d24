/** Command `ops members generate`: writes a synthetic population as a drop. */

import { resolve } from 'node:path';
import { UsageError } from './command-line/command-line.ts';
import { type CommandContext, lineOfBusinessOf } from './command-line/operation.ts';
import type { ExitCode } from './command-line/terminal.ts';
import { populationMembers } from './generator/population.ts';
import { writePopulationDrop } from './generator/population-drop.ts';
import { monthOf } from './generator/record/dates.ts';

/** Most members that `--dry-run` describes. */
const described = 20;

/** `members generate`: writes the drop, or with `--dry-run` describes its first members. */
export function membersGenerate({ values, print }: CommandContext): ExitCode {
  const lob = lineOfBusinessOf(values, 'members generate');
  const members = Number(values.members);
  if (!Number.isSafeInteger(members) || members < 1) {
    throw new UsageError('--members is a whole number, 1 or more');
  }
  const population = { lob, seed: values.seed ?? '1', month: monthOf(new Date()) };
  if (values['dry-run'] === true) {
    for (const { patientId, about } of populationMembers(population, Math.min(members, described))) {
      print(`${patientId}  ${about}`);
    }
    return 0;
  }
  if (values.folder === undefined) throw new UsageError('--folder is a new folder for the drop');
  const { files } = writePopulationDrop({ ...population, folder: resolve(values.folder), members });
  if (values.json === true) print(JSON.stringify(files));
  else for (const { name, rows } of files) print(`${name}: ${rows} rows`);
  return 0;
}
