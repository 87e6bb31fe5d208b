// Stands for the Node worker below Core Tools: work lasts until the test makes the file RELEASED, a signal ends all of it.
const { existsSync } = require('node:fs');

process.on('message', ({ work }) => {
  const look = setInterval(() => {
    if (!existsSync(process.env.RELEASED)) return;
    clearInterval(look);
    process.send({ work, pid: process.pid });
  }, 20);
});
process.on('disconnect', () => process.exit(0));
