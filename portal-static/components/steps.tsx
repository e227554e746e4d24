/** The list of steps of a longer form or of a process, with the current step marked. */
export function Steps(props: {
  readonly steps: readonly string[];
  /** Index of the current step; the number of steps if all are done. */
  readonly current: number;
  /** The person who acts in each step, shown below its name. */
  readonly who?: readonly string[];
  /** @default Steps */
  readonly label?: string;
}) {
  const { steps, current, who, label = 'Steps' } = props;
  return (
    <ol class="steps" aria-label={label}>
      {steps.map((step, index) => (
        <li
          key={step}
          class={index < current ? 'steps__done' : ''}
          {...(index === current ? { 'aria-current': 'step' as const } : {})}
        >
          {step}
          {index < current && <span class="usa-sr-only"> (done)</span>}
          {who?.[index] !== undefined && <span class="steps__who">{who[index]}</span>}
        </li>
      ))}
    </ol>
  );
}
