import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

export interface FunctionLog {
  write(functionName: string, line: string): void;
  stop(): Promise<void>;
}

/** What functions print goes to `<directory>/<function>.log`, as it would to CloudWatch Logs. */
export function openFunctionLog(directory: string, alsoTo?: (line: string) => void): FunctionLog {
  mkdirSync(directory, { recursive: true });
  const files = new Map<string, WriteStream>();
  return {
    write(functionName, line) {
      let file = files.get(functionName);
      if (file === undefined) {
        file = createWriteStream(join(directory, `${functionName}.log`), { flags: 'a' });
        files.set(functionName, file);
      }
      file.write(`${line}\n`);
      alsoTo?.(`${functionName}: ${line}`);
    },
    async stop() {
      await Promise.all([...files.values()].map((file) => new Promise((resolve) => file.end(resolve))));
    },
  };
}
