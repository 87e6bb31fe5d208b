using System.Net.Http.Json;
using System.Text.Json.Nodes;

/// <summary>What there is: a submission is tried out without storing it, the fields and the newest jobs are listed.</summary>
static class Lists
{
    public static async Task Run(Service service, string file)
    {
        var metadata = new
        {
            image_source = "sentinel-2-l2a",
            start_date = Service.DaysAgo(20),
            end_date = Service.DaysAgo(0),
            layers = new[] { new { layer = "ndvi" } },
        };
        using var tried = await service.Send(() =>
        {
            var request = service.WithKey(HttpMethod.Post, "/v1/enrollments?dry_run=true");
            request.Content = Service.Submission(metadata, file);
            return request;
        });
        foreach (var field in (await tried.Content.ReadFromJsonAsync<JsonNode>())!["fields"]!.AsArray())
        {
            var faults = field!["errors"]?.AsArray().Select(error => error!["message"]!.GetValue<string>());
            Console.WriteLine($"{field["field_id"]}: {(faults is null ? $"{field["area_ha"]} ha, sound" : string.Join(" ", faults))}");
        }

        var features = new JsonArray();
        var newest = "";
        await foreach (var field in service.Pages(cursor => service.WithKey(HttpMethod.Get, $"/v1/fields?limit=250{cursor}")))
        {
            var date = field["newest_picture"]?.GetValue<string>() ?? "";
            if (string.CompareOrdinal(date, newest) > 0) newest = date;
            var properties = new[] { "field_id", "group", "area_ha", "newest_picture" };
            features.Add(new JsonObject
            {
                ["type"] = "Feature",
                ["properties"] = new JsonObject(properties.Select(name => KeyValuePair.Create(name, field[name]?.DeepClone()))),
                ["geometry"] = field["geometry"]?.DeepClone(),
            });
        }
        await File.WriteAllTextAsync("listed.geojson", new JsonObject { ["type"] = "FeatureCollection", ["features"] = features }.ToJsonString());
        Console.WriteLine($"{features.Count} fields are in listed.geojson; the newest picture is of {(newest == "" ? "no day yet" : newest)}.");

        // The token needs the role Jobs.Read.
        var shown = 0;
        await foreach (var job in service.Pages(cursor => service.WithToken(HttpMethod.Get, $"/v1/jobs?limit=5{cursor}")))
        {
            Console.WriteLine($"{job["jobCreatedDateTime"]!.GetValue<string>()[..10]} {job["kind"]} {job["crop"]}: {job["status"]}");
            if (++shown == 5) break;
        }
    }
}
