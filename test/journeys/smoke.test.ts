import { expect, it } from 'vitest';
import { runDemo } from '../../ops/demo/program.ts';
import { systemFile } from './system-file.ts';

it('the smoke test finds everything on the local system, and ends the applications that it registered', async () => {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) };
  const words = ['--target', systemFile(), '--lob', 'DSNP', '--json'];
  expect(await runDemo(words, terminal), err.join('\n')).toBe(0);
  const { checks } = JSON.parse(out.join('\n')) as {
    checks: { check: string; state: string; saw: string }[];
  };
  const passed = checks.filter(({ state }) => state === 'passed').map(({ check }) => check);
  expect(passed).toEqual(
    expect.arrayContaining(['environment', 'metadata', 'key-rotation', 'transactions', 'drop', 'messages']),
  );
  const messages = checks.find(({ check }) => check === 'messages');
  expect(messages?.saw).toMatch(/^e-mail to \S+: arrived; text message to \S+: arrived\.$/);
});
