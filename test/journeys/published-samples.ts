import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { localFetch, runningSystem } from './journey.ts';

/** A code sample on a page of the published documentation. */
export interface Sample {
  readonly language: string;
  readonly text: string;
  /** File name and command that the page gives: `app.mjs`, `node app.mjs`. */
  readonly file?: string;
  readonly command?: string;
}

/** The code samples of a page in their order, as the portal shows them. @param path `/docs/search` */
export async function samplesOn(path: string): Promise<readonly Sample[]> {
  const url = `http://portal.localhost:${runningSystem().port}${path}`;
  const html = await (await localFetch(url)).text();
  const pieces = html.split(/(<pre [^>]*><code class="language-\w*">[\s\S]*?<\/code><\/pre>)/);
  return pieces.flatMap((piece, index) => {
    const [, language, code] = /^<pre [^>]*><code class="language-(\w*)">([\s\S]*)<\/code>/.exec(piece) ?? [];
    if (language === undefined || code === undefined) return [];
    const said = /ave (?:this|the) program as <code>([\w.-]+)<\/code>,? and run <code>([\w. -]+)<\/code>/;
    const [, file, command] = said.exec(pieces[index - 1] ?? '') ?? [];
    return [
      { language, text: unescaped(code), ...(file !== undefined && { file }), ...(command && { command }) },
    ];
  });
}

function unescaped(text: string): string {
  // Syntax highlighting adds elements around words of the code.
  const plain = text.replace(/<[^>]+>/g, '');
  return plain.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/**
 * Environment variables with which Node and Python resolve `*.localhost` to this machine, as a line in /etc/hosts does, and with which curl
 * fails for an error status.
 */
export function developersMachine(folder: string): Record<string, string> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n');
  writeFileSync(
    join(folder, 'lookup.mjs'),
    `import dns from 'node:dns';
const system = dns.lookup;
dns.lookup = (name, ...rest) => system(name.endsWith('.localhost') ? '127.0.0.1' : name, ...rest);
`,
  );
  writeFileSync(
    join(folder, 'sitecustomize.py'),
    `import socket
system = socket.getaddrinfo
socket.getaddrinfo = lambda name, *rest, **more: system(
    "127.0.0.1" if str(name).endswith(".localhost") else name, *rest, **more)
`,
  );
  return {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: process.env.HOME ?? folder,
    CURL_HOME: folder,
    NODE_OPTIONS: `--import ${join(folder, 'lookup.mjs')}`,
    PYTHONPATH: folder,
  };
}

/** A running program and its output so far. */
export interface Program {
  readonly printed: () => string;
  /** Types a line into the program. */
  readonly type: (line: string) => void;
  /** Resolves with the first match in the output; rejects if the program ends before. */
  printedMatch(pattern: RegExp): Promise<string>;
  /** Interrupts a program that would go on. */
  readonly end: () => void;
  /** Resolves with the exit code when the program has ended. */
  readonly ended: Promise<number>;
}

export function startProgram(command: string, cwd: string, env: Record<string, string>): Program {
  const [file = '', ...args] = command.split(' ');
  const child = spawn(file, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const output = collected(child);
  const ended = once(child, 'close').then(([code]) => Number(code));
  return {
    printed: output.text,
    end: () => void child.kill(),
    type: (line) => void child.stdin.write(`${line}\n`),
    ended,
    async printedMatch(pattern) {
      for (;;) {
        const found = pattern.exec(output.text())?.[0];
        if (found !== undefined) return found;
        const over = await Promise.race([ended.then(() => true), output.more().then(() => false)]);
        if (over) throw new Error(`“${command}” ended:\n${output.text()}`);
      }
    },
  };
}

function collected(child: Pick<ChildProcess, 'stdout' | 'stderr'>) {
  let text = '';
  let wake = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += String(chunk);
      wake();
    });
  }
  return {
    text: () => text,
    more: () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      }),
  };
}

export interface Terminal {
  /**
   * Runs the text in one bash process, which keeps its variables.
   *
   * @throws Error if a command fails.
   */
  type(text: string): Promise<string>;
  close(): void;
}

export function openTerminal(env: Record<string, string>): Terminal {
  const bash = spawn('bash', ['--noprofile', '--norc'], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const output = collected(bash);
  bash.stdin.write("trap 'FAILED=yes' ERR\n");
  let count = 0;
  return {
    async type(text) {
      count += 1;
      const mark = `=== ${count}`;
      const before = output.text().length;
      bash.stdin.write(`FAILED=no\n${text}\nprintf '\\n%s %s\\n' '${mark}' "$FAILED"\n`);
      const end = new RegExp(`\\n${mark} (yes|no)\\n`);
      let match = end.exec(output.text());
      while (match === null) {
        await output.more();
        match = end.exec(output.text());
      }
      const printed = output.text().slice(before, match.index);
      if (match[1] === 'yes') throw new Error(`a command failed:\n${text}\n${printed}`);
      return printed;
    },
    close: () => bash.stdin.end(),
  };
}
