import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A part of the review page: its title and state in one line, and what is behind it on request. */
export function FoldedPart(props: {
  readonly title: string;
  readonly state: ComponentChildren;
  readonly open?: boolean;
  readonly children?: ComponentChildren;
}) {
  const id = useId();
  const head = (
    <>
      <h2 id={id}>{props.title}</h2>
      <div class="part__state">{props.state}</div>
    </>
  );
  if (props.children === undefined) {
    return (
      <section class="part" aria-labelledby={id}>
        <div class="part__head">{head}</div>
      </section>
    );
  }
  return (
    <section class="part" aria-labelledby={id}>
      <details open={props.open ?? false}>
        <summary class="part__head">{head}</summary>
        <div class="part__body">{props.children}</div>
      </details>
    </section>
  );
}
