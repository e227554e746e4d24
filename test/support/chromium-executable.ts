import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** A Chromium executable and the environment variables it needs. */
export interface ChromiumExecutable {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

const modules = resolve(import.meta.dirname, '../../node_modules');
/**
 * The Chromium that `npm ci` installs (`@sparticuz/chromium`, Linux on x64), with its own libraries and fonts, so that the tests do not
 * depend on the machine. `CHROMIUM=/path/to/chromium` names another one.
 *
 * @throws Error on other platforms if `CHROMIUM` is not set.
 */
export async function chromiumExecutable(): Promise<ChromiumExecutable> {
  const named = process.env.CHROMIUM;
  if (named !== undefined) return { executablePath: named, env: {} };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `The Chromium of these tests runs on Linux x64 only, and this is ${process.platform} ${process.arch}: set CHROMIUM to the path of an installed one.`,
    );
  }
  const { version } = JSON.parse(
    await readFile(join(modules, '@sparticuz/chromium/package.json'), 'utf8'),
  ) as {
    version: string;
  };
  const unpacked = join(modules, `.cache/chromium-${version}`);
  if (!existsSync(unpacked)) await unpackTo(unpacked);
  return {
    executablePath: join(unpacked, 'chromium'),
    env: {
      LD_LIBRARY_PATH: join(unpacked, 'al2023/lib'),
      FONTCONFIG_PATH: join(unpacked, 'fonts'),
      // A locale: with a machine's `C`, Chromium's language tag would be `en-US@posix`, which Intl refuses.
      LANG: 'en_US.UTF-8',
      LC_ALL: 'en_US.UTF-8',
    },
  };
}

/** Unpacks next to `place` and renames it in one step, so that test files that start together never see half of it. */
async function unpackTo(place: string): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  const directory = await mkdtemp(`${place}.`);
  // The package unpacks to the temporary folder. It unpacks its libraries only if it believes that it runs in a Lambda.
  await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', "await (await import('@sparticuz/chromium')).default.executablePath()"],
    { cwd: modules, env: { ...process.env, TMPDIR: directory, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' } },
  );
  // The package's own font configuration names the temporary folder of a Lambda.
  await writeFile(
    join(directory, 'fonts/fonts.conf'),
    `<fontconfig><dir>${join(place, 'fonts')}</dir><cachedir>${join(place, 'cache')}</cachedir></fontconfig>`,
  );
  try {
    await rename(directory, place);
  } catch (error) {
    await rm(directory, { recursive: true });
    if (!existsSync(place)) throw error;
  }
}
