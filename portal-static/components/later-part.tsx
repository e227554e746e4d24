import type { ComponentChildren } from 'preact';
import { NotLoaded, useLater } from './later.tsx';
import { Progress } from './progress.tsx';

/** A part of a page whose code is loaded when the part is shown. */
export function Later<T>(props: {
  readonly load: () => Promise<T>;
  /** Text of the progress indicator: "Loading the workbench…" */
  readonly words: string;
  readonly children: (loaded: T) => ComponentChildren;
}) {
  const loaded = useLater(props.load);
  if (loaded === 'failed') return <NotLoaded />;
  if (loaded === undefined) return <Progress words={props.words} />;
  return <>{props.children(loaded)}</>;
}
