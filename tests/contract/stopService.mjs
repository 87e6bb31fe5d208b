export default async function stopService() {}
