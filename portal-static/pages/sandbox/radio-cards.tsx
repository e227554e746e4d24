/** Radio buttons as cards, each option with a sentence of description. */
export function RadioCards<Value extends string>(props: {
  readonly name: string;
  readonly legend: string;
  readonly value: string;
  readonly choices: readonly { readonly value: Value; readonly label: string; readonly about: string }[];
  readonly onChoose: (value: Value) => void;
}) {
  return (
    <fieldset class="usa-fieldset radio-cards">
      <legend>{props.legend}</legend>
      <div class="radio-cards__choices">
        {props.choices.map(({ value, label, about }) => (
          <div class="usa-radio" key={value}>
            <input
              class="usa-radio__input"
              type="radio"
              name={props.name}
              id={`${props.name}-${value}`}
              checked={value === props.value}
              onChange={() => props.onChoose(value)}
            />
            <label class="usa-radio__label" for={`${props.name}-${value}`}>
              {label}
              <span class="choice__hint">{about}</span>
            </label>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
