/** Form with the filter of the log of calls. */

import { useId, useState } from 'preact/hooks';
import { lineOfBusinessCodes } from '../../../lambdas/catalog/lines-of-business.ts';
import { describedBy, FieldErrorMessage } from '../../components/field.tsx';
import { type CallFilterFields, isFiltered, noFilter, periods } from './call-filter-model.ts';

/** The filter's fields. The log is read again when the form is sent. */
export function CallFilterForm(props: {
  readonly filter: CallFilterFields;
  readonly onFilter: (filter: CallFilterFields) => void;
  /** Errors of the fields that the API refused. */
  readonly errors: Readonly<Record<string, string>>;
}) {
  const [values, setValues] = useState(props.filter);
  const id = useId();
  /** Attributes of a field's control. */
  const control = (name: keyof CallFilterFields) => ({
    id: `${id}-${name}`,
    value: values[name],
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
    ...describedBy(`${id}-${name}`, {}, props.errors[name]),
  });
  const label = (name: keyof CallFilterFields, text: string) => (
    <>
      <label class="usa-label" for={`${id}-${name}`}>
        {text}
      </label>
      <FieldErrorMessage id={`${id}-${name}`} error={props.errors[name]} />
    </>
  );
  return (
    <form
      aria-label="Filter calls"
      onSubmit={(event) => {
        event.preventDefault();
        props.onFilter(values);
      }}
    >
      <div class="filter">
        <div>
          {label('lob', 'Line of business')}
          <select class="usa-select" {...control('lob')}>
            <option value="">All</option>
            {lineOfBusinessCodes.map((lob) => (
              <option key={lob}>{lob}</option>
            ))}
          </select>
        </div>
        <div>
          {label('outcome', 'Outcome')}
          <select class="usa-select" {...control('outcome')}>
            <option value="">All</option>
            <option value="succeeded">Succeeded</option>
            <option value="refused">Refused</option>
          </select>
        </div>
        <div>
          {label('status', 'Status code')}
          <input class="usa-input" inputMode="numeric" pattern="[1-5][0-9]{2}" {...control('status')} />
        </div>
        <div>
          {label('path', 'Part of the path')}
          <input
            class="usa-input"
            placeholder="Patient/{id}"
            maxLength={100}
            spellcheck={false}
            autocapitalize="none"
            {...control('path')}
          />
        </div>
        <div>
          {label('minutes', 'Period')}
          <select class="usa-select" {...control('minutes')}>
            <option value="">All</option>
            {Object.entries(periods).map(([minutes, text]) => (
              <option key={minutes} value={minutes}>
                {text}
              </option>
            ))}
          </select>
        </div>
        <div>
          {label('requestId', 'Request ID')}
          <input
            class="usa-input"
            maxLength={128}
            spellcheck={false}
            autocapitalize="none"
            {...control('requestId')}
          />
        </div>
      </div>
      <div class="form__actions">
        <button type="submit" class="usa-button usa-button--outline">
          Show matching calls
        </button>
        <button
          type="button"
          class="usa-button usa-button--unstyled"
          aria-disabled={!isFiltered(values) && !isFiltered(props.filter)}
          onClick={() => {
            setValues(noFilter);
            if (isFiltered(props.filter)) props.onFilter(noFilter);
          }}
        >
          Clear the filter
        </button>
      </div>
    </form>
  );
}
