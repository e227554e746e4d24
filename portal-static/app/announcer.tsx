import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useState } from 'preact/hooks';

const AnnouncerContext = createContext<(words: string) => void>(() => {});

/** Says the result of an act: "Copied.", "Saved." Screen readers announce it, and the page shows it for some seconds. */
export const useAnnounce = () => useContext(AnnouncerContext);

export function Announcer(props: { readonly children: ComponentChildren }) {
  const [said, setSaid] = useState({ words: '', turn: 0 });
  const announce = useCallback((words: string) => setSaid(({ turn }) => ({ words, turn: turn + 1 })), []);
  return (
    <AnnouncerContext.Provider value={announce}>
      {props.children}
      {/* A new element each time, so that the same text is announced twice. */}
      <div class="announcement" role="status" aria-live="polite">
        <span key={said.turn}>{said.words}</span>
      </div>
    </AnnouncerContext.Provider>
  );
}
