using System.Net;
using System.Net.Http.Headers;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json.Nodes;

/// <summary>Whatever webhooks did not bring: the log has each event once, in order.</summary>
sealed class CatchUp(JsonNode service, Inbox inbox)
{
    const string CursorFile = "cursor.txt";
    readonly HttpClient http = new(new HttpClientHandler { ServerCertificateCustomValidationCallback = Trust(service["caFile"]?.GetValue<string>()) });

    /// <summary>Now, and once a day; a minute later when it fails.</summary>
    public async Task Daily()
    {
        for (; ; )
        {
            try
            {
                await Run();
                await Task.Delay(TimeSpan.FromDays(1));
            }
            catch (Exception error)
            {
                Console.Error.WriteLine(error.Message);
                await Task.Delay(TimeSpan.FromMinutes(1));
            }
        }
    }

    /// <summary>Reads the log from where the last reading has ended; events that are there already are left as they are.</summary>
    async Task Run()
    {
        var cursor = File.Exists(CursorFile) ? File.ReadAllText(CursorFile) : "";
        for (var hasMore = true; hasMore;)
        {
            var query = cursor == "" ? "" : $"?cursor={Uri.EscapeDataString(cursor)}";
            using var request = new HttpRequestMessage(HttpMethod.Get, $"{service["baseUrl"]}/v1/events{query}");
            request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", service["jwt"]!.GetValue<string>());
            using var answer = await http.SendAsync(request);
            if (answer.StatusCode == HttpStatusCode.UnprocessableContent && cursor != "")
            {
                // Older than 31 days: the log is read from its beginning.
                cursor = "";
                continue;
            }
            answer.EnsureSuccessStatusCode();
            var page = (await answer.Content.ReadFromJsonAsync<JsonNode>())!;
            foreach (var item in page["items"]!.AsArray())
                inbox.Store(item!["id"]!.GetValue<string>(), Encoding.UTF8.GetBytes(item.ToJsonString()));
            // After its events: a cursor that is kept before them loses them with the process.
            cursor = page["cursor"]!.GetValue<string>();
            File.WriteAllText(CursorFile, cursor);
            hasMore = page["has_more"]!.GetValue<bool>();
        }
    }

    /// <summary>Trusts the certificate of the local service beside those of the machine; a real one needs none.</summary>
    static Func<HttpRequestMessage, X509Certificate2?, X509Chain?, SslPolicyErrors, bool> Trust(string? caFile)
    {
        var local = caFile is null ? null : X509Certificate2.CreateFromPem(File.ReadAllText(caFile));
        return (_, certificate, _, errors) =>
            errors == SslPolicyErrors.None || (local is not null && local.Thumbprint == certificate?.Thumbprint);
    }
}
