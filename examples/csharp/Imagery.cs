using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;

/// <summary>Field imagery: fields are submitted from a file, the newest picture of one of them is read from storage.</summary>
static class Imagery
{
    public static async Task Run(Service service, string fields)
    {
        var metadata = new
        {
            image_source = "sentinel-2-l2a",
            start_date = Service.DaysAgo(20),
            end_date = Service.DaysAgo(0),
            layers = new[] { new { layer = "ndvi" }, new { layer = "true-color" } },
        };
        var key = Guid.NewGuid().ToString();
        using var submitted = await service.Send(() =>
        {
            var request = service.WithKey(HttpMethod.Post, "/v1/enrollments");
            request.Headers.Add("Idempotency-Key", key);
            request.Content = Service.Submission(metadata, fields);
            return request;
        });
        var enrollment = (await submitted.Content.ReadFromJsonAsync<JsonNode>())!;
        Console.WriteLine($"Enrollment {enrollment["enrollment_id"]}: {enrollment["status"]}");

        // Pictures follow within minutes; the storage token alone opens them, for eight hours.
        using var granted = await service.Send(() => service.WithKey(HttpMethod.Get, "/v1/auth/sas-token"));
        var access = (await granted.Content.ReadFromJsonAsync<JsonNode>())!;
        var account = service.File["blobEndpoint"]?.GetValue<string>() ?? $"https://{access["account_name"]}.blob.core.windows.net";
        var field = $"{account}/{access["file_system"]}/{access["path"]}/sentinel-2/north-40";
        Task<HttpResponseMessage> Read(string path) => service.Send(() => new(HttpMethod.Get, $"{field}/{path}?{access["sas_token"]}"));

        JsonNode? day = null;
        while (day is null)
        {
            await Task.Delay(2000);
            using var index = await Read("index.json");
            if (index.StatusCode == HttpStatusCode.NotFound) continue;
            var dates = (await index.Content.ReadFromJsonAsync<JsonNode>())!["fieldimagery:dates"]!.AsArray();
            day = dates.LastOrDefault(date => date!["layers"]!.AsArray().Any(layer => layer!.GetValue<string>() == "true-color"));
        }
        using var picture = await Read($"{day["date"]}/true-color.tiff");
        await File.WriteAllBytesAsync("true-color.tiff", await picture.Content.ReadAsByteArrayAsync());
        Console.WriteLine($"{day["date"]}: {day["clear_percent"]} % clear; the picture is in true-color.tiff.");
    }
}
