/** A Fastify route that does nothing: it shows the limits of the framework and the sockets. Listens on PORT. */
import Fastify from 'fastify';

const app = Fastify();
app.get('/', async () => ({ hello: 'world' }));
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
