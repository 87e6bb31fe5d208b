using System.Net;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json.Nodes;

/// <summary>The service as the examples call it.</summary>
sealed class Service : IDisposable
{
    public JsonNode File { get; }
    readonly HttpClient http;

    public Service(string file)
    {
        File = JsonNode.Parse(System.IO.File.ReadAllText(file))!;
        http = new HttpClient(new HttpClientHandler { ServerCertificateCustomValidationCallback = Trust(File["caFile"]?.GetValue<string>()) });
    }

    public string this[string name] => File[name]!.GetValue<string>();

    public static string DaysAgo(int days) => DateTime.UtcNow.AddDays(-days).ToString("yyyy-MM-dd");

    /// <summary>Creates a job, looks at it as often as the service asks, and gives it back once it has ended.</summary>
    public async Task<JsonNode> RunJob(string solution, string requestPath, object parameters)
    {
        await Operate($"{solution}:create", new { requestPath, partnerRequestBody = parameters });
        for (; ; )
        {
            var (job, pause) = await Operate($"{solution}:fetch", new { requestPath });
            var status = job["status"]!.GetValue<string>();
            Console.WriteLine(status);
            if (status is not ("WAITING" or "RUNNING"))
                return job["insightId"] is null ? throw new InvalidOperationException(job["message"]!.GetValue<string>()) : job;
            await Task.Delay(pause);
        }
    }

    public async Task<byte[]> Insight(JsonNode job, string accept = "application/json")
    {
        using var answer = await Send(() =>
        {
            var request = WithToken(new(HttpMethod.Get, $"{this["baseUrl"]}/v1/insights/{job["insightId"]}"));
            request.Headers.Accept.ParseAdd(accept);
            return request;
        });
        return await answer.Content.ReadAsByteArrayAsync();
    }

    /// <summary>Sends a request, and again when the service is too busy and says when. Made anew for each try.</summary>
    public async Task<HttpResponseMessage> Send(Func<HttpRequestMessage> request)
    {
        for (var tries = 1; ; tries++)
        {
            var answer = await http.SendAsync(request());
            if (answer.IsSuccessStatusCode || answer.StatusCode == HttpStatusCode.NotFound) return answer;
            if (tries == 6 || answer.StatusCode is not (HttpStatusCode.TooManyRequests or HttpStatusCode.ServiceUnavailable))
                throw new HttpRequestException($"{(int)answer.StatusCode}: {await answer.Content.ReadAsStringAsync()}");
            await Task.Delay(Pause(answer));
        }
    }

    public HttpRequestMessage WithKey(HttpMethod method, string path)
    {
        var request = new HttpRequestMessage(method, $"{this["baseUrl"]}{path}");
        request.Headers.Add("Api-Key", this["apiKey"]);
        return request;
    }

    public HttpRequestMessage WithToken(HttpMethod method, string path) => WithToken(new(method, $"{this["baseUrl"]}{path}"));

    /// <summary>The two parts of a submission.</summary>
    public static MultipartFormDataContent Submission(object metadata, string fields)
    {
        var geojson = new StreamContent(System.IO.File.OpenRead(fields));
        geojson.Headers.ContentType = new MediaTypeHeaderValue("application/geo+json");
        return new() { { JsonContent.Create(metadata), "request", "request.json" }, { geojson, "geojson", "fields.geojson" } };
    }

    /// <summary>The items of all pages; a page is asked for when the one before was read.</summary>
    public async IAsyncEnumerable<JsonNode> Pages(Func<string, HttpRequestMessage> request)
    {
        for (var cursor = ""; ;)
        {
            using var answer = await Send(() => request(cursor));
            var page = (await answer.Content.ReadFromJsonAsync<JsonNode>())!;
            foreach (var item in page["items"]!.AsArray()) yield return item!;
            if (page["cursor"] is null) yield break;
            cursor = $"&cursor={Uri.EscapeDataString(page["cursor"]!.GetValue<string>())}";
        }
    }

    public void Dispose() => http.Dispose();

    async Task<(JsonNode Job, TimeSpan Pause)> Operate(string operation, object body)
    {
        using var answer = await Send(() => WithToken(new(HttpMethod.Post, $"{this["baseUrl"]}/solutions/partnerAgPowered.{operation}")
        {
            Content = JsonContent.Create(body),
        }));
        return ((await answer.Content.ReadFromJsonAsync<JsonNode>())!, Pause(answer));
    }

    HttpRequestMessage WithToken(HttpRequestMessage request)
    {
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", this["jwt"]);
        return request;
    }

    static TimeSpan Pause(HttpResponseMessage answer) => answer.Headers.RetryAfter?.Delta ?? TimeSpan.FromSeconds(2);

    /// <summary>Trusts the certificate of the local storage beside those of the machine; real storage needs none.</summary>
    static Func<HttpRequestMessage, X509Certificate2?, X509Chain?, System.Net.Security.SslPolicyErrors, bool> Trust(string? caFile)
    {
        var local = caFile is null ? null : X509Certificate2.CreateFromPem(System.IO.File.ReadAllText(caFile));
        return (_, certificate, _, errors) =>
            errors == System.Net.Security.SslPolicyErrors.None || (local is not null && local.Thumbprint == certificate?.Thumbprint);
    }
}
