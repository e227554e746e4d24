/** Fields of an application's configuration form. */

import { useEffect, useRef } from 'preact/hooks';
import { interfaceFamilies } from '../../../lambdas/catalog/interface-families.ts';
import type { ScreenName } from '../../../lambdas/portal/api/application-screens.ts';
import { portalLimits } from '../../../lambdas/portal/catalog/limits.ts';
import { useSession } from '../../app/session.tsx';
import { Alert } from '../../components/alert.tsx';
import { Checkbox, CheckboxGroup, RadioGroup } from '../../components/choices.tsx';
import { DataTable } from '../../components/display.tsx';
import { NotLoaded, useLater } from '../../components/later.tsx';
import { TextArea } from '../../components/text-area.tsx';
import { TextField } from '../../components/text-field.tsx';
import { callableInterfaces, callableSummary } from './callable-model.ts';
import { exampleWords } from './examples-model.ts';
import { type FieldDescription, fieldNamed, fieldsOf } from './fields-model.ts';
import { isAskedFor, isOpen, whyChosen } from './form-values-model.ts';
import type { ConfigurationForm } from './use-configuration-form.ts';

/** The fields of one screen. */
export function ConfigurationFields(props: {
  readonly form: ConfigurationForm;
  readonly screen: ScreenName;
}) {
  const { form, screen } = props;
  const shown = fieldsOf(screen).filter(({ name }) => isAskedFor(name, form.typed));
  return (
    <>
      {shown.map((field) => (
        <div key={field.name} id={field.name} class="configuration-field">
          <Control form={form} field={field} />
          <Example form={form} field={field} />
          {/* The page made this key, so no program has it, and production gets none of it. */}
          {field.name === 'jwks' && form.environment === 'sandbox' && (
            <KeyMaker onKeySet={(text) => form.set('jwks', text)} />
          )}
          {field.name === 'applicationType' && <WhyChosen type={String(form.values.applicationType)} />}
          {field.name === 'linesOfBusiness' && <Callable form={form} />}
        </div>
      ))}
    </>
  );
}

/** Makes a key in the browser. Its code is loaded with the field of keys, which few applications have. */
function KeyMaker(props: { readonly onKeySet: (text: string) => void }) {
  const part = useLater(() => import('../sandbox/make-key.tsx'));
  if (part === undefined) return null;
  return part === 'failed' ? <NotLoaded /> : <part.MakeKey {...props} />;
}

/** Marks an example that was filled in; gone with the first change. */
function Example({ form, field }: { readonly form: ConfigurationForm; readonly field: FieldDescription }) {
  const { account } = useSession();
  const words =
    form.environment === 'sandbox' ? exampleWords(field.name, form.typed[field.name], account) : undefined;
  return words === undefined ? null : <p class="quiet example">{words}</p>;
}

function Control({ form, field }: { readonly form: ConfigurationForm; readonly field: FieldDescription }) {
  const { name, label, hint, required, autocomplete } = field;
  const common = { form, name, label, hint, optional: !required };
  const completed = autocomplete === undefined ? {} : { autocomplete };
  switch (field.control) {
    case 'line':
      return <TextField {...common} />;
    case 'paragraph':
      return <TextArea {...common} />;
    case 'key-set':
      return <TextArea {...common} rows={8} code />;
    case 'address':
      return <TextField {...common} type="url" inputMode="url" {...completed} />;
    case 'email':
      return <TextField {...common} type="email" inputMode="email" {...completed} />;
    case 'phone':
      return <TextField {...common} type="tel" inputMode="tel" width="medium" {...completed} />;
    case 'addresses':
      return <Addresses form={form} />;
    case 'one-of':
      return <OneOf form={form} field={field} />;
    case 'some-of':
      return <CheckboxGroup {...common} choices={choicesOf(field)} />;
    case 'yes-no': {
      const needed = form.values.tokenEndpointAuthMethod === 'none';
      return (
        <Checkbox
          form={form}
          name={name}
          label={label}
          hint={needed ? `${hint} Required for applications without a secret.` : hint}
        />
      );
    }
  }
}

function choicesOf({ options = [] }: FieldDescription) {
  return options.map(({ value, label, explanation }) => ({ value, label, hint: explanation }));
}

/** Choices that another answer rules out are disabled, but stay visible. */
function OneOf({ form, field }: { readonly form: ConfigurationForm; readonly field: FieldDescription }) {
  const type = String(form.values.applicationType);
  return (
    <RadioGroup
      form={form}
      name={field.name}
      label={field.label}
      hint={field.hint}
      choices={choicesOf(field).map((choice) => ({
        ...choice,
        disabled: !isOpen(field.name, choice.value, type),
      }))}
    />
  );
}

function WhyChosen(props: { readonly type: string }) {
  const words = whyChosen(props.type);
  return <div role="status">{words !== undefined && <p class="why-chosen">{words}</p>}</div>;
}

function Addresses({ form }: { readonly form: ConfigurationForm }) {
  const { label, hint } = fieldNamed('loginRedirectUris');
  const rows = form.typed.loginRedirectUris as readonly string[];
  const count = useRef(rows.length);
  useEffect(() => {
    // To the row that has come, or to the last one that is left: the button that removed one is gone.
    if (count.current !== rows.length) {
      document.getElementById(form.id(`loginRedirectUris.${rows.length - 1}`))?.focus();
    }
    count.current = rows.length;
  }, [rows.length]);
  const put = (next: readonly string[]) => form.replace({ ...form.typed, loginRedirectUris: next });
  return (
    <fieldset class="usa-fieldset address-rows">
      <legend class="usa-label">{label}</legend>
      <p class="usa-hint">{hint}</p>
      {rows.map((_, index) => (
        <div class="address-row" key={index}>
          <TextField
            form={form}
            name={`loginRedirectUris.${index}`}
            label={rows.length === 1 ? 'Address' : `Address ${index + 1}`}
            type="url"
            inputMode="url"
          />
          {rows.length > 1 && (
            <button
              type="button"
              class="usa-button usa-button--unstyled"
              onClick={() => put(rows.filter((_, at) => at !== index))}
            >
              Remove<span class="usa-sr-only"> address {index + 1}</span>
            </button>
          )}
        </div>
      ))}
      {rows.length < portalLimits.redirectUris && (
        <button type="button" class="usa-button usa-button--outline" onClick={() => put([...rows, ''])}>
          Add another address
        </button>
      )}
    </fieldset>
  );
}

/** Lists the interfaces that the selection so far lets the application call. */
function Callable({ form }: { readonly form: ConfigurationForm }) {
  const products = form.typed.products as readonly string[];
  const lobs = form.typed.linesOfBusiness as readonly string[];
  const callable = callableInterfaces(products, lobs).filter((each) => each.lobs.length > 0);
  return (
    <div class="callable">
      <p role="status">{callableSummary(products, lobs)}</p>
      {callable.length > 0 && (
        <DataTable
          compact
          caption="Interfaces your application can call"
          columns={['Interface', 'Lines of business']}
          rows={callable.map(({ product, lobs: open }) => ({
            key: product,
            cells: [interfaceFamilies[product].name, open.join(', ')],
          }))}
        />
      )}
    </div>
  );
}

/** Value of a hidden field of a later step: the attestation is made on the application's own page. */
export function AttestationNote() {
  return (
    <Alert kind="info" title="Attestation (optional)">
      <p>
        After you register the application, you can attest how it handles member data. Without attestation,
        members see a warning when they sign in.
      </p>
    </Alert>
  );
}
