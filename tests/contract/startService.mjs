export default async function startService() {}
