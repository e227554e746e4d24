import { describe, expect, it } from 'vitest';
import { inboxHandler } from '../../../local/inbox/inbox-handler.ts';
import type { Inbox, Message, StoredMessage } from '../../../local/inbox/message.ts';

/** An inbox in memory, newest first. */
function inboxOf(...messages: Message[]): Inbox {
  let stored: StoredMessage[] = messages
    .map((message, index) => ({ ...message, id: index + 1, sentAt: '2026-03-01T10:00:00.000Z' }))
    .reverse();
  return {
    add: () => {
      throw new Error('the handler adds nothing');
    },
    list: (to) => stored.filter((message) => to === undefined || message.to.includes(to)),
    clear: () => {
      stored = [];
    },
  };
}

const mail: Message = {
  kind: 'email',
  from: 'no-reply@example.org',
  to: ['ann@example.com'],
  subject: 'Hello <script>',
  text: 'Your code is 123456',
  html: '<p onclick="x">hi</p>',
};
const text: Message = { kind: 'text', to: ['+12025550123'], text: 'Code 654321' };

function visit(inbox: Inbox, path: string, method = 'GET'): Response {
  return inboxHandler(inbox)(new Request(`http://inbox.localhost:8080${path}`, { method }));
}

describe('the inbox', () => {
  it('shows every message, the newest first, with nothing of it taken for markup', async () => {
    const page = await visit(inboxOf(mail, text), '/').text();
    expect(page.indexOf('Code 654321')).toBeLessThan(page.indexOf('Your code is 123456'));
    expect(page).toContain('Hello &lt;script&gt;');
    expect(page).not.toContain('<p onclick');
    expect(page).toContain('<iframe sandbox');
  });

  it('shows one recipient’s messages, and links to them', async () => {
    const inbox = inboxOf(mail, text);
    expect(await visit(inbox, '/').text()).toContain('href="/?to=ann%40example.com"');
    const page = await visit(inbox, '/?to=ann%40example.com').text();
    expect(page).toContain('123456');
    expect(page).not.toContain('654321');
  });

  it('says so when it is empty', async () => {
    expect(await visit(inboxOf(), '/').text()).toContain('No messages yet');
  });

  it('reloads itself only for who asked', async () => {
    expect(await visit(inboxOf(text), '/').text()).not.toContain('http-equiv="refresh"');
    expect(await visit(inboxOf(text), '/?watch=yes').text()).toContain('http-equiv="refresh"');
  });

  it('gives messages as JSON, and forgets them', async () => {
    const inbox = inboxOf(mail, text);
    expect(await visit(inbox, '/messages?to=%2B12025550123').json()).toEqual({
      messages: [{ ...text, id: 2, sentAt: '2026-03-01T10:00:00.000Z' }],
    });
    expect(visit(inbox, '/messages', 'DELETE').status).toBe(204);
    expect(await visit(inbox, '/messages').json()).toEqual({ messages: [] });
  });

  it('serves a mail’s own HTML where nothing in it can run or call out', async () => {
    const answer = visit(inboxOf(mail), '/messages/1/html');
    expect(await answer.text()).toContain('<p onclick="x">hi</p>');
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/; sandbox$/);
  });

  it('answers 404 and 405 elsewhere', () => {
    expect(visit(inboxOf(), '/nothing').status).toBe(404);
    expect(visit(inboxOf(text), '/messages/1/html').status).toBe(404);
    expect(visit(inboxOf(), '/messages', 'POST').status).toBe(405);
    expect(visit(inboxOf(), '/', 'DELETE').headers.get('allow')).toBe('GET, HEAD');
  });
});
