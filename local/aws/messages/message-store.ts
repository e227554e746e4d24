import type { Inbox, Message, StoredMessage } from '../../inbox/message.ts';
import type { State } from '../protocol/state.ts';

/** The inbox, stored in the stand-ins' state. The newest thousand messages are kept. */
export function messageStore(state: State, now: () => number): Inbox {
  state.define(
    'CREATE TABLE IF NOT EXISTS message (id INTEGER PRIMARY KEY AUTOINCREMENT, sent_at INTEGER, message TEXT) STRICT;',
  );
  return {
    add(message) {
      const sentAt = now();
      state.write('INSERT INTO message (sent_at, message) VALUES (?, ?)', sentAt, JSON.stringify(message));
      const id = state.one<{ id: number }>('SELECT max(id) AS id FROM message')?.id ?? 0;
      state.write('DELETE FROM message WHERE id <= ?', id - 1_000);
      return { ...message, id, sentAt: new Date(sentAt).toISOString() };
    },
    list(to) {
      const rows = state.all<{ id: number; sent_at: number; message: string }>(
        'SELECT * FROM message ORDER BY id DESC',
      );
      const messages = rows.map(
        ({ id, sent_at, message }): StoredMessage => ({
          ...(JSON.parse(message) as Message),
          id,
          sentAt: new Date(sent_at).toISOString(),
        }),
      );
      const wanted = to?.toLowerCase();
      return messages.filter(
        (one) => wanted === undefined || one.to.some((address) => address.toLowerCase() === wanted),
      );
    },
    clear: () => void state.write('DELETE FROM message'),
  };
}
