// A server that does nothing: what the driver and this machine can do at best. Prints its port.
import { createServer } from 'node:http';

createServer((incoming, outgoing) => {
  incoming.resume().on('end', () => outgoing.end('{}'));
}).listen(0, '127.0.0.1', function listening() {
  console.log(this.address().port);
});
