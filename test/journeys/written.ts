import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RunningSystem } from '../support/running-system.ts';

/**
 * Everything a system wrote outside its databases, by name: what it printed, its logs, and each file but the templates and
 * bundles.
 */
export function everythingWritten(running: RunningSystem): [string, string][] {
  const found: [string, string][] = [['what it printed', running.output()]];
  const look = (folder: string): void => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) {
        if (name !== 'assembly') look(path);
      } else if (!/\.sqlite(-\w+)?$/.test(name)) found.push([basename(path), readFileSync(path, 'utf8')]);
    }
  };
  look(running.stateDirectory);
  return found;
}
