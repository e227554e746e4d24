/** Configuration values from CDK context (`--context sandbox.…`). */

import { ConfigurationError } from './common-fields.ts';

const files = ['sandbox', 'production', 'portal'] as const;
export type ConfigurationFile = (typeof files)[number];

/** Matches `<file>.<field>` and `<file>.<field>.<field>`. CDK's own context names contain a colon or a slash. */
const valueName = /^([A-Za-z]+)\.([A-Za-z]+(?:\.[A-Za-z-]+)*)$/;

/**
 * Replaces values of a configuration file by values of the context: `--context sandbox.subscriptionKey=optional` tries a setting without
 * changing the file. The result is validated like the file.
 *
 * @param context values are text, as `--context` passes them; text that is JSON (`3000`, `true`) is parsed.
 * @throws ConfigurationError for a file that doesn't exist.
 */
export function withContextValues<Input extends object>(
  file: ConfigurationFile,
  input: Input,
  context: Readonly<Record<string, unknown>>,
): Input {
  let changed = input;
  for (const [name, value] of Object.entries(context)) {
    const [, named, path = ''] = valueName.exec(name) ?? [];
    if (named === undefined) continue;
    if (!files.some((each) => each === named)) {
      throw new ConfigurationError(`context ${name}: expected one of ${files.join(', ')} before the dot`);
    }
    if (named === file) changed = set(changed, path.split('.'), parsed(value)) as Input;
  }
  return changed;
}

function set(into: unknown, [field = '', ...deeper]: readonly string[], value: unknown): unknown {
  const object = typeof into === 'object' && into !== null ? into : {};
  const present = Object.hasOwn(object, field) ? (object as Record<string, unknown>)[field] : undefined;
  return { ...object, [field]: deeper.length === 0 ? value : set(present, deeper, value) };
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
