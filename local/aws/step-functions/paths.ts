/** Local Step Functions: evaluates reference paths. */

import { AssemblyError } from '../../assembly/assembly-error.ts';

/** Roots of a path: the state's input (`$`), and the context (`$$`). */
export interface PathScope {
  readonly input: unknown;
  readonly context: unknown;
}

/** A path leads to no value; the name is that of the states language. */
export class PathFailed extends Error {
  override readonly name = 'States.ParameterPathFailure';
}

const path = /^(\$\$?)((?:\.[A-Za-z][\w-]*)*)$/;

/**
 * Compiles a reference path: `$`, `$.job.id`, `$$.Execution.Id`.
 *
 * @throws AssemblyError for any other path.
 */
export function compilePath(text: string, place = 'a path'): (scope: PathScope) => unknown {
  const [, root, members = ''] = path.exec(text) ?? [];
  if (root === undefined) throw new AssemblyError(`${place}: the path ${text} is not known on one machine`);
  const names = members.split('.').slice(1);
  return ({ input, context }) =>
    names.reduce<unknown>(
      (value, name) => {
        if (typeof value === 'object' && value !== null && Object.hasOwn(value, name)) {
          return (value as Readonly<Record<string, unknown>>)[name];
        }
        throw new PathFailed(`the path ${text} leads to nothing`);
      },
      root === '$$' ? context : input,
    );
}

/** Fills in `Parameters`: members whose names end in `.$` contain paths. */
export function fillParameters(parameters: unknown, scope: PathScope): unknown {
  if (parameters === undefined) return scope.input;
  return Object.fromEntries(
    Object.entries(parameters as object).map(([name, value]) =>
      name.endsWith('.$') ? [name.slice(0, -2), compilePath(String(value))(scope)] : [name, value],
    ),
  );
}

/** Applies `ResultPath`: null keeps the input, absent returns the result, `$.member` inserts the result into the input. */
export function placeResult(resultPath: unknown, input: unknown, result: unknown): unknown {
  if (resultPath === null) return input;
  const [, member, ...deeper] = String(resultPath ?? '$').split('.');
  if (member === undefined) return result;
  if (deeper.length > 0) throw new PathFailed(`the result path ${String(resultPath)} has several members`);
  return { ...(input as object), [member]: result };
}
