/** State and validation of the form for an application's configuration. */

import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Environment } from '../../../lambdas/catalog/environments.ts';
import { type ScreenName, screenNames } from '../../../lambdas/portal/api/application-screens.ts';
import type { ConfigurationField, FieldIssue } from '../../../lambdas/portal/api/applications.ts';
import type { ProblemField } from '../../../lambdas/portal/api/views.ts';
import type { ApplicationType } from '../../../lambdas/portal/catalog/application-states.ts';
import { type Problem, unanswered } from '../../api/problem.ts';
import { afterPress } from '../../forms/after-press.ts';
import { problemErrors, sentence } from '../../forms/issues.ts';
import type { FormState } from '../../forms/use-form.ts';
import { fieldNamed, labelOf } from './fields-model.ts';
import {
  type FormValue,
  type FormValues,
  screenOf,
  withoutBlankRows,
  withoutKeys,
  withType,
} from './form-values-model.ts';

/** A field's name, or a row of the redirect URIs. */
export type ConfigurationName = ConfigurationField | `loginRedirectUris.${number}`;

export interface ConfigurationForm extends FormState<ConfigurationName> {
  /** Environment whose rules the values must meet. */
  readonly environment: Environment;
  readonly typed: FormValues;
  replace(values: FormValues): void;
  /**
   * Validates a screen, or the whole form, and shows errors beside the fields.
   *
   * @returns whether it is valid. False as well if the schema could not be loaded, which the form then says.
   */
  holds(screen?: ScreenName): Promise<boolean>;
  /**
   * Finds the first screen with an error, and shows the errors of that screen.
   *
   * @returns `undefined` if all hold.
   */
  firstBroken(): Promise<ScreenName | undefined>;
  /**
   * Shows a problem that the API returned.
   *
   * @returns the screen of the first field with an error.
   */
  refused(problem: Problem): ScreenName | undefined;
}

type Errors = Readonly<Record<string, string>>;

/** Selects one error for each field: the first issue found. */
function errorsOf(issues: readonly FieldIssue[]): Errors {
  const errors: Record<string, string> = {};
  for (const { path, message } of issues) {
    const name = path.join('.') === 'loginRedirectUris' ? 'loginRedirectUris.0' : path.join('.');
    errors[name] ??= sentence(message);
  }
  return errors;
}

/** Converts field problems of the API to errors of the form, whose field names do not begin with `configuration`. */
export function configurationErrors(errors: readonly ProblemField[]): Errors {
  return problemErrors(
    errors.map((error) => ({ ...error, pointer: error.pointer.replace(/^\/configuration(?=\/)/, '') })),
  );
}

function written(values: FormValues, name: string, value: FormValue): FormValues {
  if (name === 'applicationType') return withType(values, value as ApplicationType);
  const row = /^loginRedirectUris\.(\d+)$/.exec(name)?.[1];
  if (row === undefined) {
    const next = { ...values, [name]: value };
    return name === 'tokenEndpointAuthMethod' && value !== 'private_key_jwt'
      ? { ...next, ...withoutKeys }
      : next;
  }
  const rows = values.loginRedirectUris as readonly string[];
  return { ...values, loginRedirectUris: rows.map((it, at) => (at === Number(row) ? String(value) : it)) };
}

/** Whether a field is text, which is validated when it loses focus. */
function isText(name: ConfigurationName): boolean {
  const { control } = fieldNamed((name.split('.')[0] ?? name) as ConfigurationField);
  return control !== 'one-of' && control !== 'some-of' && control !== 'yes-no';
}

/** Adds an entry for each row of the redirect URIs, under the name of its field. */
function flat(values: FormValues) {
  const rows = (values.loginRedirectUris as readonly string[]).map((row, index) => [
    `loginRedirectUris.${index}`,
    row,
  ]);
  return { ...values, ...Object.fromEntries(rows) } as Readonly<Record<string, FormValue>>;
}

/** Makes the form of an application's configuration, for one screen at a time or all of them. */
export function useConfigurationForm(initial: FormValues, environment: Environment): ConfigurationForm {
  const prefix = useId();
  const [typed, setTyped] = useState(initial);
  const [errors, setErrors] = useState<Errors>({});
  const [problem, setProblem] = useState<Problem>();
  const [failures, setFailures] = useState(0);
  const latest = useRef(typed);
  latest.current = typed;
  const replace = (values: FormValues) => {
    latest.current = values;
    setTyped(values);
  };
  const show = (found: Errors, what?: Problem) => {
    setErrors(found);
    setProblem(what);
    if (Object.keys(found).length > 0 || what !== undefined) setFailures((count) => count + 1);
  };
  const checks = useRef<typeof import('./issues-model.ts')>(undefined);
  const load = async () => {
    checks.current ??= await import('./issues-model.ts');
    return checks.current;
  };
  useEffect(() => {
    // If it cannot be loaded now, the submission tries again.
    load().catch(() => {});
  }, []);
  const errorsNow = (screen?: ScreenName): Errors => {
    if (checks.current === undefined) return {};
    const { allIssues, screenIssues } = checks.current;
    return errorsOf(
      screen === undefined
        ? allIssues(latest.current, environment)
        : screenIssues(screen, latest.current, environment),
    );
  };
  const holds = async (screen?: ScreenName) => {
    try {
      await load();
    } catch {
      show({}, unanswered);
      return false;
    }
    replace(withoutBlankRows(latest.current));
    const found = errorsNow(screen);
    show(found);
    return Object.keys(found).length === 0;
  };
  return {
    environment,
    typed,
    values: flat(typed),
    errors,
    problem,
    pending: false,
    failures,
    replace,
    id: (name) => `${prefix}-${name.replaceAll('.', '-')}`,
    label: () => {},
    secret: () => {},
    restart: () => {},
    labelOf: (name) => labelOf(name.split('.')[0] ?? name),
    set: (name, value) => {
      replace(written(latest.current, name, value));
      if (failures === 0 || isText(name)) return;
      // A selection takes effect at once and can change other fields, so the errors that it has resolved are removed.
      const now = errorsNow();
      setErrors((shown) => Object.fromEntries(Object.entries(shown).filter(([it]) => now[it] !== undefined)));
    },
    blur: (name) => {
      if (failures === 0) return;
      afterPress(() => {
        const { [name]: found } = errorsNow(screenOf(name.split('.')[0] ?? name));
        setErrors(({ [name]: _, ...others }) =>
          found === undefined ? others : { ...others, [name]: found },
        );
      });
    },
    check: () => false,
    holds,
    firstBroken: async () => {
      for (const screen of screenNames) if (!(await holds(screen))) return screen;
      return undefined;
    },
    refused: (what) => {
      const found = 'errors' in what && what.errors !== undefined ? configurationErrors(what.errors) : {};
      const [first] = Object.keys(found);
      show(found, first === undefined ? what : undefined);
      return first === undefined ? undefined : screenOf(first.split('.')[0] ?? first);
    },
    submit: async (event) => event?.preventDefault(),
  };
}
