import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useState } from 'preact/hooks';

const AnnouncerContext = createContext<(words: string) => void>(() => {});

/** Says something to people who listen to the page: "Copied.", "Saved." */
export const useAnnounce = () => useContext(AnnouncerContext);

export function Announcer(props: { readonly children: ComponentChildren }) {
  const [said, setSaid] = useState({ words: '', turn: 0 });
  const announce = useCallback((words: string) => setSaid(({ turn }) => ({ words, turn: turn + 1 })), []);
  return (
    <AnnouncerContext.Provider value={announce}>
      {props.children}
      {/* A new element each time: the same words twice are said twice. */}
      <div class="usa-sr-only" role="status" aria-live="polite">
        <span key={said.turn}>{said.words}</span>
      </div>
    </AnnouncerContext.Provider>
  );
}
