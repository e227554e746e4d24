import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { synthesizeAnew } from './synthesized-app.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The file with the templates and messages of the app as it is deployed. */
    readonly deployedApp: string;
  }
}

/** Synthesizes the app as it is deployed once for all workers: most files of `templates` read it, and it takes seconds. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'member-data-templates-'));
  const file = join(folder, 'deployed-app.json');
  const { templates, messages } = synthesizeAnew();
  writeFileSync(file, JSON.stringify({ templates: [...templates], messages }));
  project.provide('deployedApp', file);
  return () => rmSync(folder, { recursive: true, force: true });
}
