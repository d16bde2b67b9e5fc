/**
 * The hand-written peer, a service in ten lines: Fastify and `qrcode.toBuffer`, no keys, no quota. Listens on PORT.
 */
import Fastify from 'fastify';
import QRCode from 'qrcode';

const app = Fastify();
app.get('/', async () => ({ hello: 'world' }));
app.get<{ Querystring: { content: string; width: string } }>('/qr', async (request, reply) => {
  const { content, width } = request.query;
  return reply.type('image/png').send(await QRCode.toBuffer(content, { width: Number(width) }));
});
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
