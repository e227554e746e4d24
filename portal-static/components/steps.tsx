/** The list of steps of a longer form, with the current step marked. */
export function Steps(props: { readonly steps: readonly string[]; readonly current: number }) {
  return (
    <ol class="steps" aria-label="Steps">
      {props.steps.map((step, index) => (
        <li
          key={step}
          class={index < props.current ? 'steps__done' : ''}
          {...(index === props.current ? { 'aria-current': 'step' as const } : {})}
        >
          {step}
          {index < props.current && <span class="usa-sr-only"> (done)</span>}
        </li>
      ))}
    </ol>
  );
}
