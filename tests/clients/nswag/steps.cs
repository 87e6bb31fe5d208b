// One line of output for each step of a program: what came of it.
static class Steps
{
    public static async Task Run(string name, Func<Task<object?>> run)
    {
        try
        {
            var outcome = await run();
            Console.WriteLine($"{name}: {(outcome is bool yes ? (yes ? "true" : "false") : outcome)}");
        }
        catch (Exception error)
        {
            Console.WriteLine($"{name}: FAILED {error.GetType().Name} {error.Message.ReplaceLineEndings(" ")}");
        }
    }

    /// The client of a program, which finds in its environment where the service is and who calls.
    public static HttpClient NewHttp()
    {
        var http = new HttpClient();
        http.DefaultRequestHeaders.Authorization = new("Bearer", Environment.GetEnvironmentVariable("TOKEN"));
        return http;
    }

    public static string Setting(string name) => Environment.GetEnvironmentVariable(name)!;

    public static async Task<string> HexOf(Stream stream)
    {
        var bytes = new MemoryStream();
        await stream.CopyToAsync(bytes);
        return Convert.ToHexString(bytes.ToArray()).ToLowerInvariant();
    }

    public static readonly double[][] Ring = [[10, 50], [10.01, 50], [10.01, 50.01], [10, 50.01], [10, 50]];
}
