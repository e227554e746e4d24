import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttp, fetchOver, headerText } from '../../../ops/http/client.ts';

describe('the HTTP client', () => {
  let server: Server;
  let origin: string;
  beforeAll(async () => {
    server = createServer((request: IncomingMessage, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += String(chunk);
      });
      request.on('end', () => {
        response.writeHead(request.url === '/moved' ? 302 : 200, {
          location: '/elsewhere',
          'set-cookie': ['a=1', 'b=2'],
          'content-type': 'application/json',
        });
        response.end(JSON.stringify({ host: request.headers.host, method: request.method, body }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://dsnp.api.sandbox.localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('finds any name under localhost on this machine and says which one it wants', async () => {
    const response = await createHttp()({ method: 'POST', url: `${origin}/a`, body: 'é' });
    expect(response.status).toBe(200);
    expect(JSON.parse(response.body)).toEqual({ host: new URL(origin).host, method: 'POST', body: 'é' });
  });

  it('follows no redirect', async () => {
    const response = await createHttp()({ method: 'GET', url: `${origin}/moved` });
    expect(response.status).toBe(302);
    expect(headerText(response, 'location')).toBe('/elsewhere');
  });

  it('serves as fetch for libraries that take one', async () => {
    const response = await fetchOver(createHttp())(`${origin}/b`, { method: 'POST', body: 'x=1' });
    expect(await response.json()).toMatchObject({ method: 'POST', body: 'x=1' });
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  it('rejects where nobody listens', async () => {
    await expect(createHttp()({ method: 'GET', url: 'http://x.localhost:1/' })).rejects.toThrow(
      'ECONNREFUSED',
    );
  });
});
