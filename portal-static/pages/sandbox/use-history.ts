/** Hook: the calls of an application, of this page and of earlier visits. */

import { useRef, useState } from 'preact/hooks';
import { keepHistory, type KeptHistory, readHistory } from './kept-history.ts';
import type { LessonStep } from './lesson.ts';

/** The calls of a page: those that are kept of this application, then its own. */
export function useHistory(application: Omit<KeptHistory, 'steps'>) {
  const [steps, setSteps] = useState<readonly LessonStep[]>(() => {
    const kept = readHistory();
    return kept?.applicationId === application.applicationId ? kept.steps : [];
  });
  /** All steps so far; several may be added before the page renders. */
  const all = useRef(steps);
  const replace = (next: readonly LessonStep[], about: Partial<KeptHistory> = {}) => {
    all.current = next;
    setSteps(next);
    keepHistory({ ...application, ...about, steps: next });
  };
  return {
    steps,
    add: (step: LessonStep, about?: Partial<KeptHistory>) => replace([...all.current, step], about),
    clear: () => replace([]),
  };
}
